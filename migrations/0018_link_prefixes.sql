-- What the links of a workspace begin with: 48 random bits, as 8 characters of base64url. Unique over all databases.
ALTER TABLE organizations ADD COLUMN link_prefix TEXT NOT NULL DEFAULT '';
UPDATE organizations SET link_prefix = substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1)
  || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + (random() & 63), 1);
CREATE UNIQUE INDEX organizations_by_link_prefix ON organizations (link_prefix);
