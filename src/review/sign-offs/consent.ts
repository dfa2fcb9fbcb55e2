/** The consent text's version. Increment it whenever the text changes. */
export const consentVersion = 2;

export const consentText = (title: string, versionNumber: number, workspace: string): string =>
  `I have seen version ${versionNumber} of “${title}” and accept it. ${workspace} keeps my name, the time, my IP ` +
  "address and browser as proof.";
