-- Whoever is an admin nowhere any more is signed out, and a link that is on its way to them opens nothing.
-- each name, change: members_demoted_sign_out, UPDATE OF role | members_moved_sign_out, UPDATE OF email
--   | members_deleted_sign_out, DELETE
CREATE TRIGGER {{name}} AFTER {{change}} ON members
WHEN OLD.role IN ('owner', 'admin')
BEGIN
  DELETE FROM sessions WHERE email = OLD.email
    AND NOT EXISTS (SELECT 1 FROM members WHERE email = OLD.email AND role IN ('owner', 'admin'));

  DELETE FROM sign_in_links WHERE email = OLD.email
    AND NOT EXISTS (SELECT 1 FROM members WHERE email = OLD.email AND role IN ('owner', 'admin'));
END;
