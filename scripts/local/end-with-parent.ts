/** Loaded into a child process, which then ends, with everything it started, when its parent is gone. */
const parent = process.ppid;
const graceMs = 200;

process.on("disconnect", () => {
  setTimeout(() => process.ppid !== parent && process.kill(-process.pid, "SIGKILL"), graceMs).unref();
});
