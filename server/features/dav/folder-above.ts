import { ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry } from '../../files/types.ts'
import type { Route } from '../../routing/route.ts'
import type { DavDeps } from './content.ts'
import { FiniteDepthError } from './finite-depth.ts'
import { depthOf } from './headers.ts'
import { response, sendMultistatus } from './multistatus.ts'
import { brevityOf, isOfWindows } from './propfind.ts'
import { readXml } from './read-xml.ts'
import { renderer, requestedOf } from './requested-properties.ts'
import { escapeText } from './xml-writer.ts'

/**
 * PROPFIND of the folder above that of WebDAV, in which there is nothing else: Windows asks for each folder above what it
 * mounts, and again and again where it is refused. Others get no answer: GNOME would mount this folder instead.
 */
export function propfindAbove({ config }: DavDeps): Route['handler'] {
  return async (request, reply) => {
    if (!isOfWindows(request)) throw new AppError('not_found')
    const depth = depthOf(request) ?? 'infinity'
    const requested = requestedOf(await readXml(request))
    if (depth === 'infinity') throw new FiniteDepthError()
    const source = { mayWrite: false, rootName: 'Filigree', locksAt: () => '' }
    const render = renderer(requested, source, brevityOf(request))
    const folders = depth === 0 ? ['/'] : ['/', '/dav/']
    const responses = folders.map(path => response(escapeText(config.baseURL + path), render(FOLDER, [])))
    return sendMultistatus(reply, responses.join(''))
  }
}

/** As far as its properties go. */
const FOLDER: Entry = {
  name: '',
  path: ROOT,
  canonical: ROOT,
  kind: 'folder',
  isLink: false,
  size: 0,
  modified: 0,
  mode: 0o755,
  version: '',
  identity: '',
}
