import { type Finding, FindingsAnswer, type HandedFile, HandedFilesAnswer } from '../../../shared/api/diagnostics.ts'
import { isPostgres } from '../../db/address.ts'
import type { FilesService } from '../../files/files-service.ts'
import { cameByProxy } from '../../responses/accel-redirect.ts'
import { acceptSocket, callerOf, type Route } from '../../routing/route.ts'
import type { ProgramRunner } from '../../sandbox/run-program.ts'
import { checkDatabase } from './database.ts'
import { filesToTry } from './files.ts'
import { checkHost, type HostFacts } from './host.ts'
import { notedFindings, type Parts } from './noted.ts'
import { checkRequest } from './request.ts'
import { checkKept, checkStores, storeWorks } from './store.ts'
import { answerSlowly } from './wait.ts'

export interface DiagnosticsDeps extends Parts {
  config: {
    root: string
    rootFolder: string | undefined
    cacheDir: string
    previewDir: string
    previewFolder: string | undefined
    database: string
    disableExec: boolean
    accelRedirect: string
    trashDays: number
  }
  files: FilesService
  confinement: HostFacts['confinement']
  kernelMissing: HostFacts['kernelMissing']
  programs: ProgramRunner
  documents: { state: HostFacts['documents'] }
  previews: {
    /** Whether this host can make video thumbnails. */
    showVideos(): Promise<boolean>
    /** Whether the store of the preview cache works. */
    cacheWorks(): Promise<boolean>
  }
}

/** Diagnostics: why a server does not work well, as far as it sees itself. The client tests the proxies in between. */
export function diagnosticsRoutes(deps: DiagnosticsDeps): Route[] {
  const { config, files, confinement, kernelMissing, programs, previews, documents } = deps
  const { root, rootFolder, cacheDir, previewDir, previewFolder, database, disableExec, accelRedirect } = config
  // Without previews only servers on PostgreSQL use this folder; for others it need not exist.
  const cache = isPostgres(database) ? cacheDir : undefined
  return [
    {
      method: 'GET',
      path: '/api/doctor',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Check this server for problems',
        answers: {
          200: { text: 'The findings, with commands that fix the problems.', schema: FindingsAnswer },
        },
      },
      async handler(request): Promise<Finding[]> {
        const host = await checkHost({
          folders: [...new Set([rootFolder, cache, previewFolder])].filter(folder => folder !== undefined),
          database: await checkDatabase(database),
          stores: await checkStores([
            { folder: rootFolder, address: root, answers: () => storeWorks(files, callerOf(request).user) },
            { folder: previewFolder, address: previewDir, answers: () => previews.cacheWorks() },
          ]),
          confinement,
          kernelMissing,
          sandbox: disableExec ? undefined : programs.sandbox,
          documents: documents.state,
          videos: rootFolder === undefined ? undefined : await previews.showVideos(),
        })
        const kept = await checkKept(files, { address: root, days: config.trashDays })
        return [...checkRequest(request), ...host, ...(await notedFindings(deps)), ...kept]
      },
    },
    {
      method: 'GET',
      path: '/api/doctor/files',
      access: 'admin',
      token: 'none',
      describes: {
        summary: 'List files that the reverse proxy is configured to send itself, to test whether it does',
        answers: {
          200: { text: 'A few files; none where no proxy sends files on this route.', schema: HandedFilesAnswer },
        },
        refuses: [404],
      },
      async handler(request): Promise<HandedFile[]> {
        if (accelRedirect === '' || !cameByProxy(request)) return []
        return filesToTry(await files.for(callerOf(request).user), root)
      },
    },
    {
      method: 'GET',
      path: '/api/doctor/wait',
      access: 'admin',
      token: 'none',
      describes: {
        summary: 'Answer slowly, to test the timeouts of proxies',
        query: {
          seconds: { text: 'From 1 to 90.', required: true, type: 'integer' },
          trickle: {
            text: '`true` sends a byte each second; otherwise nothing is sent until the end.',
            type: 'boolean',
          },
        },
        answers: { 200: { text: 'As many full stops as seconds.', type: 'text/plain' } },
        refuses: [400, 429],
      },
      handler: answerSlowly,
    },
    {
      method: 'GET',
      path: '/api/doctor/socket',
      access: 'admin',
      token: 'none',
      describes: {
        summary: 'Test whether a WebSocket connects',
        answers: { 101: { text: 'Closed with 1000 at once.' } },
        refuses: [400],
      },
      async handler(request, reply) {
        const socket = await acceptSocket(request, reply)
        // A paused socket would never read the client's close frame.
        socket?.resume()
        socket?.close(1000)
        return reply
      },
    },
  ]
}
