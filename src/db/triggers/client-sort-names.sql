-- The order of the legacy client list (specification 4.1): as people look names up, without regard to case and accents.

-- First the letters without case and accents; behind a character below all others the name itself, which tells
-- "Emile" from "Émile". ASCII letters swap their case there, so that "ada" comes before "Ada".
CREATE VIEW client_sort_names AS
SELECT id, (
  SELECT
    group_concat(coalesce(folded, lower(letter)), '' ORDER BY place)
    || char(1)
    || group_concat(iif(letter GLOB '[A-Z]', lower(letter), upper(letter)), '' ORDER BY place)
  FROM (
    SELECT key AS place, substr(name, key + 1, 1) AS letter
    FROM json_each('[0' || replace(hex(zeroblob(length(name) - 1)), '00', ',0') || ']')
  )
  LEFT JOIN folded_letters USING (letter)
) AS sort_name
FROM (SELECT id, trim(coalesce(client_name, company_name)) AS name FROM clients);

-- each name, change: clients_sort_name, INSERT | clients_sort_name_moves, UPDATE OF client_name
--   | clients_sort_name_moves_with_company, UPDATE OF company_name
CREATE TRIGGER {{name}} AFTER {{change}} ON clients
BEGIN
  UPDATE clients SET sort_name = (SELECT sort_name FROM client_sort_names WHERE id = NEW.id) WHERE id = NEW.id;
END;
