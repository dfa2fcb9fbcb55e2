-- The clients from before; the triggers write those to come.
UPDATE clients SET sort_name = (SELECT sort_name FROM client_sort_names WHERE id = clients.id);
