-- Mails that a workspace causes to an address that it chose: review links and codes. Each is counted before it goes
-- out, and one too many is refused with all that was to be written with it.

-- each name, table, condition: review_keys_mailed, review_keys, NEW.attribution = 'mailed_link'
--   | review_codes_mailed, review_codes, NEW.email <> ''
CREATE TRIGGER {{name}} BEFORE INSERT ON {{table}}
WHEN {{condition}}
BEGIN
  INSERT INTO mail_counts (organization_id, day, address, mails)
  VALUES (NEW.organization_id, date('now'), '', 1), (NEW.organization_id, date('now'), lower(NEW.email), 1)
  ON CONFLICT (day, organization_id, address) DO UPDATE SET mails = mails + 1;

  SELECT RAISE(ABORT, 'mails_to_address') FROM mail_counts
  WHERE organization_id = NEW.organization_id AND day = date('now') AND address = lower(NEW.email)
    AND mails > {{limits.mailsToAddressPerDay}};

  SELECT RAISE(ABORT, 'mails_of_workspace')
  FROM mail_counts JOIN organizations ON organizations.id = mail_counts.organization_id
  JOIN plans ON plans.name = organizations.plan
  WHERE mail_counts.organization_id = NEW.organization_id AND day = date('now') AND address = ''
    AND mails > plans.mails_per_day;
END;
