import { type Examples, json } from './example.ts'

const own = { current_password: 'a-long-enough-passphrase' }
const away = "-o /dev/null -w '%{redirect_url}'"

/** Providers, directories, passkeys and the duty of a second factor. */
export const SIGN_IN_EXAMPLES: Examples = {
  'GET /api/oidc/{slug}/start': { at: '/api/oidc/home/start', with: `-c cookies.txt ${away}` },
  'GET /api/oidc/{slug}/callback': {
    at: '/api/oidc/home/callback?code=A_CODE&state=THE_STATE&iss=THE_ISSUER',
    with: `-b cookies.txt ${away}`,
  },
  'POST /api/login/handover': { with: `-b cookies.txt ${json({ code: 'A_HANDOVER' })}` },
  'POST /api/oidc/{slug}/backchannel-logout': {
    at: '/api/oidc/home/backchannel-logout',
    with: '-d logout_token=A_LOGOUT_TOKEN',
  },
  'POST /api/oidc/{slug}/link': { at: '/api/oidc/home/link', with: json(own) },
  'POST /api/oidc/{slug}/confirm': { at: '/api/oidc/home/confirm', with: json({ redirect: '/settings/security' }) },
  'DELETE /api/account/identities/{slug}': { at: '/api/account/identities/home', with: json(own) },
  'POST /api/oidc/{slug}/trial': { at: '/api/oidc/home/trial', with: json(own) },
  'GET /api/providers/trials/{id}': { at: '/api/providers/trials/TRIAL_ID' },
  'POST /api/directories/{slug}/trial': {
    at: '/api/directories/corp/trial',
    with: json({ username: 'una', password: 'copper-anvil-drifts-9', ...own }),
  },
  'POST /api/directories/{slug}/sync': { at: '/api/directories/corp/sync' },
  'POST /api/account/passkeys/options': { with: json(own) },
  'POST /api/account/passkeys': { with: `-d '{"ticket":"A_TICKET","label":"My phone","response":A_RESPONSE}'` },
  'PATCH /api/account/passkeys/{id}': { at: '/api/account/passkeys/PASSKEY_ID', with: json({ label: 'Old phone' }) },
  'POST /api/account/confirm': { with: json(own) },
  'POST /api/account/confirm/options': {},
  'POST /api/login/passkey/options': {},
  'POST /api/login/passkey': { with: `-d '{"ticket":"A_TICKET","response":A_RESPONSE}'` },
  'POST /api/login/factor/passkey': { with: json({ ticket: 'A_TICKET' }) },
  'DELETE /api/account/passkeys/{id}': { at: '/api/account/passkeys/PASSKEY_ID', with: json(own) },
  'POST /api/login/enrol/totp': { with: json({ ticket: 'A_TICKET' }) },
  'POST /api/login/enrol/totp/confirm': { with: json({ ticket: 'A_TICKET', code: 'A_CODE' }) },
  'POST /api/login/enrol/passkey/options': { with: json({ ticket: 'A_TICKET' }) },
  'POST /api/login/enrol/passkey': {
    with: `-d '{"ticket":"A_TICKET","label":"My phone","response":A_RESPONSE}'`,
  },
}
