import { OfficeDocument, type OfficeMode, OfficeRequest, OfficeTest } from '../../../shared/api/office.ts'
import { LOCALES } from '../../../shared/locales.ts'
import { extensionOf, type FilePath, parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import { actionAddress } from './discovery.ts'
import type { Office } from './office.ts'

export interface OfficeRouteDeps {
  files: FilesService
  /** Nothing on a host without an office editor. */
  office: Office | undefined
}

/** Documents in the office editor of the host (http-api 52). */
export function officeRoutes({ files, office }: OfficeRouteDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/office/open',
      access: 'user',
      token: 'none',
      records: 'office.open',
      schema: OfficeRequest,
      describes: {
        summary: 'Open a document in the office editor',
        answers: {
          200: { text: 'What a page needs to show the editor in a frame.', schema: OfficeDocument },
          415: { text: 'The editor does not open files with this extension.' },
          501: { text: 'The host has no office editor.' },
          503: { text: 'The editor cannot be reached.' },
        },
        refuses: [400, 403, 404],
      },
      async handler(request, reply): Promise<OfficeDocument> {
        const { path, mode } = request.body as OfficeRequest
        const { user, sessionId } = callerOf(request)
        const asked = parsePath(path)
        remark(request, { path: await files.placeOf(user, asked) })
        if (!office) throw new AppError('unsupported')
        const own = await files.for(user)
        const entry = await own.info(asked)
        if (entry.kind !== 'file') throw new AppError('is_a_folder')
        own.demandRead(asked)
        const { place } = await own.standing(asked)
        const { actions } = await office.discovery.current()
        const known = actions.get(extensionOf(entry.name).slice(1).toLowerCase())
        const { writable, ...why } = mode === 'edit' ? await editing(own, asked, known) : { writable: false }
        const address = writable ? known?.edit : (known?.view ?? known?.edit)
        if (address === undefined) throw new AppError('wrong_media_type')
        const opening = { place, userId: user.id, bearer: sessionId, mayWrite: writable }
        const { fileId, token, expiresAt } = await office.tokens.open(opening)
        reply.header('Cache-Control', 'no-store')
        const action = actionAddress(address, office.sourceOf(fileId), languageOf(user.locale))
        return { action, token, ttl: expiresAt, writable, ...why }
      },
    },
    {
      method: 'POST',
      path: '/api/office/test',
      access: 'admin',
      token: 'admin',
      // It only looks.
      records: 'nothing',
      describes: {
        summary: 'Test the ways between the host, its office editor and browsers',
        answers: {
          200: { text: 'What is known of each way.', schema: OfficeTest },
          501: { text: 'The host has no office editor.' },
        },
      },
      async handler(): Promise<OfficeTest> {
        if (!office) throw new AppError('unsupported')
        return office.test()
      },
    },
  ]
}

/** Whether a user can change a document in the editor, and else why not. @param known the addresses of the editor for it */
async function editing(
  own: Files,
  path: FilePath,
  known: Partial<Record<OfficeMode, string>> | undefined,
): Promise<Pick<OfficeDocument, 'writable' | 'reason' | 'lock'>> {
  if (!own.may('replace', path)) return { writable: false, reason: 'rights' }
  // What editors lock is for all who have the document open.
  const locked = (await own.locks.at(path)).find(({ via }) => via !== 'wopi')
  if (locked) {
    const { mine, who, label } = locked
    return { writable: false, reason: 'locked', lock: { mine, label, ...(who !== undefined && { who }) } }
  }
  return known?.edit === undefined ? { writable: false, reason: 'format' } : { writable: true }
}

/** As editors name languages: without the script. */
const languageOf = (locale: string): string =>
  (LOCALES.find(({ code }) => code === locale)?.tag ?? 'en').replace(/-Han[st]/, '')
