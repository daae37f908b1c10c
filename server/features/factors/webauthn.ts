import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyAssertion, PasskeyAttestation } from '../../../shared/api/passkeys.ts'

/** The site for which a passkey is made or used. */
export interface Site {
  /** Its host name. */
  rpId: string
  /** Scheme, host and port, as browsers send them. */
  origin: string
}

/** A challenge to an authenticator; it counts once. */
export interface Challenge extends Site {
  /** Base64url. */
  challenge: string
  /** Whether the authenticator must have verified the user, by a PIN or a fingerprint. */
  verifies: boolean
}

/** A known credential, as far as the browser needs it. */
export interface KnownCredential {
  credential: string
  transports: readonly string[]
}

interface Registrant {
  username: string
  /** Base64url. */
  handle: string
  /** Name of the instance. */
  issuer: string
  /** The passkeys that the user has: an authenticator makes no second one. */
  known: readonly KnownCredential[]
}

/** The library is large and seldom needed: the first call loads it. */
const library = () => import('@simplewebauthn/server')

/** ES256, EdDSA and RS256, as COSE numbers them. */
const ALGORITHMS = [-7, -8, -257]

/** What the browser needs to make a passkey. */
export async function creationOptions(site: Site, { username, handle, issuer, known }: Registrant) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: issuer,
    rpID: site.rpId,
    userName: username,
    userID: new Uint8Array(Buffer.from(handle, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { options, challenge: { ...site, challenge: options.challenge, verifies: true } satisfies Challenge }
}

/** What the browser needs to use a passkey. @param known those that may be used; empty for any of the site */
export async function requestOptions(site: Site, verifies: boolean, known: readonly KnownCredential[]) {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    allowCredentials: known.map(describe),
    userVerification: verifies ? 'required' : 'preferred',
  })
  return { options, challenge: { ...site, challenge: options.challenge, verifies } satisfies Challenge }
}

/** The new credential in the response of an authenticator; `undefined` for one that does not fit the challenge. */
export async function readAttestation(expected: Challenge, given: PasskeyAttestation) {
  const { verifyRegistrationResponse } = await library()
  const transports = given.response.transports ?? []
  const response = { ...given, response: { ...given.response, transports }, clientExtensionResults: {} }
  const found = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.rpId,
    requireUserVerification: expected.verifies,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!found?.verified || found.registrationInfo.fmt !== 'none') return undefined
  const { id, publicKey, counter } = found.registrationInfo.credential
  return { credential: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
}

/**
 * The counter in the response of an authenticator; the caller compares it with the one before.
 * @returns `undefined` when the signature is wrong, or made for another challenge or site
 */
export async function readAssertion(
  expected: Challenge,
  given: PasskeyAssertion,
  publicKey: string,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { userHandle, ...response } = given.response
  const found = await verifyAuthenticationResponse({
    response: { ...given, response, clientExtensionResults: {} },
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.rpId,
    credential: { id: given.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    requireUserVerification: expected.verifies,
  }).catch(() => undefined)
  return found?.verified ? found.authenticationInfo.newCounter : undefined
}

const describe = ({ credential, transports }: KnownCredential) => ({ id: credential, transports: [...transports] })
