/** Lets style elements of ours in; the page's policy names it, anew for every page. */
export const styleNonce =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '')
