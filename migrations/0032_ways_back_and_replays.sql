-- The page that a sign-in was asked for on the way to; and until when the replays of an endpoint fall due.

ALTER TABLE sign_in_links ADD COLUMN return_path TEXT -- a page of the settings; NULL: none was asked for
  CHECK (return_path GLOB '/settings/?*');

-- the time of the last delivery that was replayed among many: more fall due behind it
ALTER TABLE webhook_endpoints ADD COLUMN replays_until TEXT;
