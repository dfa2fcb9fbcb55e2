-- Whether the work is shown where a review's link is pasted, and in e-mails.
ALTER TABLE brands ADD COLUMN link_previews INTEGER NOT NULL DEFAULT 1 CHECK (link_previews IN (0, 1));
