/** Imported by a child process. Stops the process and its descendants when its parent exits. */
const parent = process.ppid;
const graceMs = 200;

process.on("disconnect", () => {
  setTimeout(() => process.ppid !== parent && process.kill(-process.pid, "SIGKILL"), graceMs).unref();
});
