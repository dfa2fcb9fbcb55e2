import packaged from "@sparticuz/chromium";

/** Unpacks the browser (test/browser/browser.ts) once: files that run side by side would start it half written. */
export default async function setup(): Promise<void> {
  if (!process.env.CHROMIUM) await packaged.executablePath();
}
