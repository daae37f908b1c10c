// node scripts/lib/dev-web.mjs <URL of the server>: Vite's development server in front of it. Modules and hot updates
// come from Vite below /static/, pages are rendered from web/index.html with the configuration and the policy that the
// server sends, and all other requests are proxied to the server.
import { readFileSync } from 'node:fs'
import { createServer } from 'vite'
import { inRepo, ROOT } from './repo.mjs'
import { say } from './run.mjs'

const STATIC = '/static/'
/** Placeholder of the nonce in web/index.html. */
const NONCE = '__STYLE_NONCE__'
const CONFIG = /(id="app-config">)(.*?)(?=<\/script>)/s
/** Paths that are never pages. */
const NO_PAGE = /\/(?:api|static|health)(?:\/|$)/
/** Covers a restart of the server after a change. */
const RESTART = 30_000

const [target] = process.argv.slice(2)
const vite = await createServer({
  configFile: inRepo('web', 'vite.config.ts'),
  base: STATIC,
  appType: 'custom',
  html: { cspNonce: NONCE },
  plugins: [{ name: 'filigree:pages', configureServer: offerPages }],
  server: {
    // The overlay creates markup from text, which the policy of the page refuses.
    hmr: { overlay: false },
    fs: { allow: [ROOT] },
    proxy: { [`^(?!${STATIC})|^${STATIC}assets/pdf-`]: { target, ws: true } },
  },
})
await vite.listen()
say(`Open http://localhost:${vite.httpServer.address().port}/`)

function offerPages({ middlewares, transformIndexHtml }) {
  middlewares.use((request, response, next) => {
    const { headers, method, url } = request
    const isPage = method === 'GET' && headers.accept?.includes('text/html') && !NO_PAGE.test(url.split('?')[0])
    if (!isPage) return next()
    return pageAt(url, headers, transformIndexHtml)
      .then(page => (page ? response.writeHead(200, page.headers).end(page.html) : next()))
      .catch(next)
  })
}

/** A page of the server with Vite's modules; nothing if the server does not respond with a page. */
async function pageAt(url, { accept, cookie = '' }, transformIndexHtml) {
  const answer = await patientFetch(target + url, { headers: { accept, cookie }, redirect: 'manual' })
  const sent = await answer.text()
  const [, , config] = CONFIG.exec(sent) ?? []
  if (config === undefined) return undefined
  const [, nonce] = /property="csp-nonce" nonce="([^"]*)"/.exec(sent) ?? []
  const template = readFileSync(inRepo('web', 'index.html'), 'utf8')
  const own = JSON.stringify({ ...JSON.parse(config), StaticURL: STATIC.slice(0, -1) }).replaceAll('<', '\\u003c')
  const page = template
    .replaceAll('"./app/', '"/app/')
    .replace('data-theme=""', `data-theme="${JSON.parse(config).Theme}"`)
    .replace(CONFIG, (_, start) => start + own)
  const html = await transformIndexHtml(STATIC, page)
  const policy = answer.headers.get('content-security-policy')?.replace("script-src 'self'", `$& 'nonce-${nonce}'`)
  return {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    html: html.replaceAll(NONCE, nonce),
  }
}

async function patientFetch(address, init) {
  for (const since = Date.now(); ; ) {
    try {
      return await fetch(address, init)
    } catch (error) {
      if (Date.now() - since > RESTART) throw error
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}
