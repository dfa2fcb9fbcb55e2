/** What a signer agrees to. A changed wording is a new version: a sign-off keeps the text that its signer saw. */
export const consentVersion = 2;

export const consentText = (title: string, versionNumber: number, workspace: string): string =>
  `I have seen version ${versionNumber} of “${title}” and accept it. ${workspace} keeps my name, the time, my IP ` +
  "address and browser as proof.";
