import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_CONFIG_ID, type PageConfig } from '../../shared/api/page.ts'
import { type FilePath, parseEncodedPath, segmentsOf } from '../../shared/path.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { currentMethod } from '../features/auth/method.ts'
import { appearanceOf } from '../features/branding/appearance.ts'
import { hasPasskeys } from '../features/factors/passkeys.store.ts'
import { readAccessSettings, readSettings } from '../features/settings/settings.store.ts'
import { linkTitles } from '../features/shares/link-title.ts'
import { pathPart } from '../routing/route.ts'
import { sendError } from './errors.ts'
import { pagePolicy } from './headers.ts'
import { pageConfig } from './index-html.ts'
import { methodsAt } from './methods.ts'
import { escapeHtml, type HeadOptions, headOf, ownStyles } from './page-head.ts'
import { listRoutes } from './routes.ts'
import { serveStatic } from './static.ts'

const BUILT = fileURLToPath(new URL('../../dist/web/', import.meta.url))
/** Bytes of the nonce for styles of a page (CSP Level 3, 7.1). */
const NONCE_BYTES = 16

/** The interface: its files under `/static`, and the index page for every URL that is not the API's. */
export async function servePages(app: FastifyInstance, context: Context): Promise<void> {
  const { baseURL } = context.config
  const routes = listRoutes(context)
  const template = readTemplate()
  const titleOf = linkTitles(context)
  if (template !== undefined) await serveStatic(app, BUILT, context)
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathPart(request.raw.url ?? '')
    if (!isPage(request, path, baseURL)) return refuse(request, reply, methodsAt(routes, path.slice(baseURL.length)))
    if (path === baseURL && baseURL !== '') return reply.redirect(`${baseURL}/`, 301)
    const hash = hashIn(decoded(path.slice(baseURL.length)))
    const shared = hash === undefined ? undefined : await titleOf(hash, request.ip)
    return sendIndex(request, reply, template, context, shared)
  })
}

/** An unknown path, or a method it does not take. */
function refuse(request: FastifyRequest, reply: FastifyReply, methods: string[]): FastifyReply {
  if (methods.length === 0) return sendError(new AppError('not_found'), request, reply)
  return sendError(new AppError('method_not_allowed'), request, reply.header('Allow', methods.join(', ')))
}

/** The API and the static files never return a page, however their names are escaped. */
function isPage(request: FastifyRequest, path: string, baseURL: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (path !== baseURL && !path.startsWith(`${baseURL}/`)) return false
  const below = decoded(path.slice(baseURL.length))
  return below !== undefined && !/^\/(api|static|health)([/\\]|$)/i.test(below)
}

/** The path of a page, `undefined` for one that is not canonical: other programs would read it differently. */
function decoded(path: string): FilePath | undefined {
  try {
    return parseEncodedPath(path)
  } catch {
    return undefined
  }
}

/** The name of the link on whose page a path is. */
function hashIn(path: FilePath | undefined): string | undefined {
  const [area, hash] = path === undefined ? [] : segmentsOf(path)
  return area === 'share' ? hash : undefined
}

async function sendIndex(
  request: FastifyRequest,
  reply: FastifyReply,
  template: string | undefined,
  context: Context,
  shared: HeadOptions['shared'],
) {
  if (template === undefined) throw new AppError('unavailable', 'the interface is not built')
  const { config, db } = context
  const { method, settings: auth } = await currentMethod(db, context.authMethods)
  const settings = await readSettings(db)
  const access = await readAccessSettings(db)
  const appearance = await appearanceOf(settings.branding, context)
  const page = pageConfig(config, settings, auth, {
    ...(await foundOut(context)),
    loginPage: method.loginPage,
    providers: await context.providers.offered(),
    passkeys: await hasPasskeys(db),
    factorDuty: access.secondFactor.require !== 'none',
    links: access.links,
    appearance,
  })
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const policy = pagePolicy({
    captchaHost: page.ReCaptchaHost,
    contentOrigin: config.contentOrigin,
    frameAncestors: config.frameAncestors,
    office: config.office && new URL(config.office).origin,
    styleNonce: nonce,
  })
  reply.header('Content-Security-Policy', policy)
  const html =
    request.method === 'HEAD'
      ? ''
      : pageText(template, page, {
          appearance,
          baseURL: config.baseURL,
          staticUrl: page.StaticURL,
          nonce,
          shared,
        })
  return reply.type('text/html; charset=utf-8').send(html)
}

async function foundOut({ files, previews, documents, programs, roots }: Context) {
  await roots?.refresh()
  return {
    videos: await previews.showVideos(),
    documents: documents.state === 'works',
    sandbox: programs.sandbox.state,
    movesByCopy: files.movesByCopy,
    keepsDeleted: files.keepsDeleted,
    hasRoots: roots !== undefined && roots.list.length > 0,
    searchesContents: files.searchesContents,
  }
}

function pageText(template: string, page: PageConfig, head: HeadOptions): string {
  return template
    .replaceAll('__STATIC_URL__', () => page.StaticURL)
    .replace('__STYLE_NONCE__', head.nonce)
    .replace(/(<html[^>]*data-theme=")[^"]*/, (_whole, start) => start + page.Theme)
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(page.Name || 'Filigree')}`)
    .replace('</head>', () => `  ${headOf(head, page.Name || 'Filigree')}\n  </head>`)
    .replace('</body>', () => `${ownStyles(head)}</body>`)
    .replace(`id="${PAGE_CONFIG_ID}">{}`, () => `id="${PAGE_CONFIG_ID}">${scriptSafe(JSON.stringify(page))}`)
}

function readTemplate(): string | undefined {
  const file = `${BUILT}index.html`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** JSON inside a script element must not contain the element's end. */
const scriptSafe = (json: string) =>
  json.replace(/[<>&\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
