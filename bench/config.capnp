# All contenders run in one plain workerd, without a proxy, on one database. Only one is under load at a time, so the
# process's CPU time is that contender's. `server.ts` writes the bundles next to a copy of this file.
using Workerd = import "/workerd/workerd.capnp";

const database :Workerd.Worker.Binding = (name = "DB", wrapped = (
  moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "d1")]));

const product :List(Workerd.Worker.Binding) = [
  .database,
  (name = "ORGANIZATION_COORDINATOR", durableObjectNamespace = "OrganizationCoordinator"),
  (name = "RECEIVER_PACE", durableObjectNamespace = (className = "OpenPace", serviceName = "open-pace")),
  (name = "GATEWAY_PUBLIC_KEY", text = "bench"),
  (name = "FRONT_KEY", text = "bench-front-key"),
  (name = "APPLICATION_URL", text = "https://app.example.com"),
  (name = "SERVICE_NAME", text = "Countersign"),
  (name = "MAIL_FROM", text = "reviews@example.com"),
  (name = "DNS_OVER_HTTPS_URL", text = "https://dns.invalid/dns-query"),
  (name = "ALLOW_LOCAL_WEBHOOK_TARGETS", text = "true"),
  (name = "DEPRECATIONS", text = "{}"),
  (name = "DATA_REGION", text = ""),
  (name = "SERVICE_STATE", text = "open"),
  (name = "HEARTBEAT_URL", text = ""),
  (name = "STRIPE_WEBHOOK_SECRET", text = "whsec_bench"),
  (name = "SIGN_OFF_KEYS", text = "{}"),
  (name = "CURSOR_KEY", text = "bench-cursor-key-0000000000000000"),
  (name = "CODE_KEY", text = "bench-code-key-000000000000000000"),
  (name = "WEBHOOK_SECRET_KEY", text = "bG9jYWwtZGV2ZWxvcG1lbnQta2V5LTAwMDAwMDAwMDA=")];

const config :Workerd.Config = (
  services = [
    (name = "app", worker = (
      modules = [(name = "app.mjs", esModule = embed "app.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = .product,
      durableObjectNamespaces = [
        (className = "OrganizationCoordinator", uniqueKey = "app-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "silent", worker = (
      modules = [(name = "silent.mjs", esModule = embed "silent.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = .product,
      durableObjectNamespaces = [
        (className = "OrganizationCoordinator", uniqueKey = "silent-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "unlogged", worker = (
      modules = [(name = "unlogged.mjs", esModule = embed "unlogged.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = .product,
      durableObjectNamespaces = [
        (className = "OrganizationCoordinator", uniqueKey = "unlogged-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "counted", worker = (
      modules = [(name = "counted.mjs", esModule = embed "counted.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = .product,
      durableObjectNamespaces = [
        (className = "OrganizationCoordinator", uniqueKey = "counted-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "queued", worker = (
      modules = [(name = "queued.mjs", esModule = embed "queued.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = .product,
      durableObjectNamespaces = [
        (className = "OrganizationCoordinator", uniqueKey = "queued-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "baseline-read", worker = (
      modules = [(name = "baseline-read.mjs", esModule = embed "baseline-read.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = [.database, (name = "COORDINATOR", durableObjectNamespace = "Coordinator")],
      durableObjectNamespaces = [
        (className = "Coordinator", uniqueKey = "baseline-read-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "baseline-write", worker = (
      modules = [(name = "baseline-write.mjs", esModule = embed "baseline-write.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = [.database, (name = "COORDINATOR", durableObjectNamespace = "Coordinator")],
      durableObjectNamespaces = [
        (className = "Coordinator", uniqueKey = "baseline-write-coordinator", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "baseline-webhook", worker = (
      modules = [(name = "baseline-webhook.mjs", esModule = embed "baseline-webhook.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"])),
    (name = "open-pace", worker = (
      modules = [(name = "open-pace.mjs", esModule = embed "open-pace.mjs")],
      compatibilityDate = "2026-10-23",
      durableObjectNamespaces = [(className = "OpenPace", uniqueKey = "open-pace")],
      durableObjectStorage = (inMemory = void))),
    (name = "hand-over", worker = (
      modules = [(name = "hand-over.mjs", esModule = embed "hand-over.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["service_binding_extra_handlers"],
      bindings = [(name = "app", service = "app"), (name = "baseline-webhook", service = "baseline-webhook")])),
    (name = "front", worker = (
      modules = [(name = "front.mjs", esModule = embed "front.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["nodejs_compat"],
      bindings = [
        (name = "CELLS", text = "a"),
        (name = "FRONT_KEY", text = "bench-front-key"),
        (name = "SERVICE_STATE", text = "open"),
        (name = "CELL_A", service = "app"),
        (name = "DIRECTORY", wrapped = (
          moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "directory")]))])),
    (name = "directory", worker = (
      modules = [(name = "thin-d1.mjs", esModule = embed "thin-d1.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["experimental"],
      bindings = [(name = "D1", durableObjectNamespace = "D1")],
      durableObjectNamespaces = [
        (className = "D1", uniqueKey = "directory", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "d1", worker = (
      modules = [(name = "thin-d1.mjs", esModule = embed "thin-d1.mjs")],
      compatibilityDate = "2026-10-23", compatibilityFlags = ["experimental"],
      bindings = [(name = "D1", durableObjectNamespace = "D1")],
      durableObjectNamespaces = [
        (className = "D1", uniqueKey = "d1", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"))),
    (name = "disk", disk = (path = "state", writable = true)),
    (name = "internet", network = (allow = ["public", "private"]))],
  sockets = [
    (name = "app", address = "127.0.0.1:0", http = (), service = "app"),
    (name = "silent", address = "127.0.0.1:0", http = (), service = "silent"),
    (name = "unlogged", address = "127.0.0.1:0", http = (), service = "unlogged"),
    (name = "counted", address = "127.0.0.1:0", http = (), service = "counted"),
    (name = "queued", address = "127.0.0.1:0", http = (), service = "queued"),
    (name = "baseline-read", address = "127.0.0.1:0", http = (), service = "baseline-read"),
    (name = "baseline-write", address = "127.0.0.1:0", http = (), service = "baseline-write"),
    (name = "hand-over", address = "127.0.0.1:0", http = (), service = "hand-over"),
    (name = "front", address = "127.0.0.1:0", http = (), service = "front"),
    (name = "directory", address = "127.0.0.1:0", http = (), service = "directory"),
    (name = "d1", address = "127.0.0.1:0", http = (), service = "d1")]
);
