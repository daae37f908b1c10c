/** Whether this browser offers passkeys at this address: it needs HTTPS, or this machine, and the name of a host. */
export function passkeysWork(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname)
  return isSecureContext && 'PublicKeyCredential' in window && !isAddress
}
