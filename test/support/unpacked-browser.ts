import packaged from "@sparticuz/chromium";

/** Unpacks the browser (test/browser/browser.ts) once, so that no test file starts it while another unpacks it. */
export default async function setup(): Promise<void> {
  if (!process.env.CHROMIUM) await packaged.executablePath();
}
