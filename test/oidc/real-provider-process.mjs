// `oidc-provider`, a certified OpenID provider, as a program. It says its issuer to the parent process, and takes the
// address of a server as its client from it, and the groups of its users. Any name signs in, with any password; the form may
// say by which methods, and under which other name.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

// It ends with its parent.
process.on('disconnect', () => process.exit())

const [, , clientId, clientSecret] = process.argv
const usernames = new Map()
let groups = ['staff']
let handle = (_request, response) => response.writeHead(503).end()
const server = createServer((request, response) => handle(request, response))

server.listen(0, '127.0.0.1', () => process.send({ issuer: `http://localhost:${server.address().port}` }))
process.on('message', ({ issuer, url, groups: all }) => {
  if (all) groups = all
  else void register(issuer, url)
})

async function register(issuer, url) {
  handle = await provider(issuer, url)
  process.send({})
}

async function provider(issuer, url) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const op = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${url}/api/oidc/home/callback`],
        post_logout_redirect_uris: [`${url}/login?loggedout`],
        backchannel_logout_uri: `${url}/api/oidc/home/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    // UserInfo has these, the ID token does not.
    claims: { openid: ['sub', 'sid', 'amr'], profile: ['preferred_username', 'groups'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: usernames.get(id) ?? id, groups }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // It would not call a server of this machine.
    fetch: (address, { dispatcher: _dispatcher, ...options }) => fetch(address, options),
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = page(
            `${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
          )
        },
        postLogoutSuccessSource: context => {
          context.body = page('<p>Signed out</p>')
        },
      },
    },
  })
  const others = op.callback()
  return (request, response) =>
    request.url.startsWith('/interaction/') ? void signIn(op, request, response) : others(request, response)
}

const page = body => `<!doctype html><html lang="en"><title>A provider</title><body>${body}</body></html>`
const FORM = page('<form method="post"><label>Name <input name="name"></label><button>Continue</button></form>')

async function signIn(op, request, response) {
  if (request.method !== 'POST') return response.setHeader('Content-Type', 'text/html').end(FORM)
  const form = new URLSearchParams(await text(request))
  const [accountId, username, amr] = ['name', 'username', 'amr'].map(field => form.get(field))
  if (username) usernames.set(accountId, username)
  await op.interactionFinished(request, response, { login: { accountId, ...(amr && { amr: amr.split(' ') }) } })
}
