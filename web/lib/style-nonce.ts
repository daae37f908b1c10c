/** Nonce of the application's style elements; the page's policy contains it, a new one for every page. */
export const styleNonce =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '')
