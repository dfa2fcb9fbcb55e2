/** Loaded into a child process: it ends, with everything it started, when the process that started it is gone. */
const parent = process.ppid;
const graceMs = 200;

process.on("disconnect", () => {
  setTimeout(() => process.ppid !== parent && process.kill(-process.pid, "SIGKILL"), graceMs).unref();
});
