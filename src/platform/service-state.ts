/**
 * SERVICE_STATE closes the service without deploying code (docs/operations.md): `read_only` refuses changes,
 * `closed` refuses everything that needs the database. While it is not `open`, queues and the cron wait.
 */
export type ServiceState = "open" | "read_only" | "closed";

/** Parses SERVICE_STATE. Any unknown value closes the service, so that a typo cannot leave it open. */
export const serviceStateOf = ({ SERVICE_STATE: state }: { SERVICE_STATE: string }): ServiceState =>
  state === "open" || state === "read_only" ? state : "closed";
