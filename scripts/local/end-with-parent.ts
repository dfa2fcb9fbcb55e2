/** Is imported by a child process. Ends the process, and everything that it started, when its parent is gone. */
const parent = process.ppid;
const graceMs = 200;

process.on("disconnect", () => {
  setTimeout(() => process.ppid !== parent && process.kill(-process.pid, "SIGKILL"), graceMs).unref();
});
