/** The service's logo mark, also the icon of every page (scripts/stylesheet.ts). E-mails imitate it. */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">' +
  '<rect width="32" height="32" rx="8" fill="#2f45c5"/>' +
  '<path d="M8 16.5l5.2 5.2L24 10.6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" ' +
  'stroke-linejoin="round"/><circle cx="24.5" cy="22.5" r="2.2" fill="#a3b1ff"/></svg>';
