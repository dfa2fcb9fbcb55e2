/** The script for the settings. Every page also works without it. */
import { offerCopies } from "./copy.js";
import "./live.js";
import { showLocalTimes } from "./local-times.js";
import "./pick-preset.js";

for (const shown of ["DOMContentLoaded", "fresh"])
  document.addEventListener(shown, () => {
    offerCopies();
    showLocalTimes();
  });
