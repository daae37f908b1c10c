import { DoctorAnswer, type Finding, type HandedFile, HandedFilesAnswer } from '../../../shared/api/diagnostics.ts'
import { isPostgres } from '../../db/address.ts'
import type { FilesService } from '../../files/service.ts'
import { cameByProxy } from '../../responses/accel-redirect.ts'
import { acceptSocket, callerOf, type Route } from '../../routing/route.ts'
import type { Programs } from '../../sandbox/run-program.ts'
import { lookAtDatabase } from './database.ts'
import { filesToTry } from './files.ts'
import { type HostFacts, lookAtHost } from './host.ts'
import { lookAtRequest } from './request.ts'
import { lookAtStores, storeAnswers } from './store.ts'
import { answerSlowly } from './wait.ts'

export interface DoctorDeps {
  config: {
    root: string
    rootFolder: string | undefined
    cacheDir: string
    previewDir: string
    previewFolder: string | undefined
    database: string
    disableExec: boolean
    accelRedirect: string
  }
  files: FilesService
  confinement: HostFacts['confinement']
  programs: Programs
  previews: {
    /** Whether this host can make pictures of films. */
    showFilms(): Promise<boolean>
    /** Whether the place that keeps previews does what it is asked. */
    placeAnswers(): Promise<boolean>
  }
}

/** Why a server does not work well: what it sees itself. What the way to it lets through, its callers try. */
export function doctorRoutes({ config, files, confinement, programs, previews }: DoctorDeps): Route[] {
  const { root, rootFolder, cacheDir, previewDir, previewFolder, database, disableExec, accelRedirect } = config
  // Without previews only servers on PostgreSQL keep something there; others need not have it.
  const kept = isPostgres(database) ? cacheDir : undefined
  return [
    {
      method: 'GET',
      path: '/api/doctor',
      access: 'admin',
      describes: {
        summary: 'Look for what keeps this server from working well',
        answers: {
          200: { text: 'What was seen, with lines to change where something is wrong.', schema: DoctorAnswer },
        },
      },
      async handler(request): Promise<Finding[]> {
        const host = await lookAtHost({
          folders: [...new Set([rootFolder, kept, previewFolder])].filter(folder => folder !== undefined),
          database: await lookAtDatabase(database),
          stores: await lookAtStores([
            { folder: rootFolder, address: root, answers: () => storeAnswers(files, callerOf(request).user) },
            { folder: previewFolder, address: previewDir, answers: () => previews.placeAnswers() },
          ]),
          confinement,
          sandbox: disableExec ? undefined : programs.sandbox,
          films: rootFolder === undefined ? undefined : await previews.showFilms(),
        })
        return [...lookAtRequest(request), ...host]
      },
    },
    {
      method: 'GET',
      path: '/api/doctor/files',
      access: 'admin',
      describes: {
        summary: 'Name files that the proxy in front is told to send by itself, to try whether it does',
        answers: {
          200: { text: 'A few; none where nothing is left to a proxy on this way.', schema: HandedFilesAnswer },
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
      describes: {
        summary: 'Answer slowly, to try how long what stands before this server waits',
        query: {
          seconds: { text: 'From 1 to 90.', required: true },
          trickle: '`true` sends a sign each second; without it nothing comes until the end.',
        },
        answers: { 200: { text: 'As many full stops as seconds.', type: 'text/plain' } },
        refuses: [429],
      },
      handler: answerSlowly,
    },
    {
      method: 'GET',
      path: '/api/doctor/socket',
      access: 'admin',
      describes: {
        summary: 'Try whether a WebSocket comes through',
        answers: { 101: { text: 'Closed with 1000 at once.' } },
      },
      async handler(request, reply) {
        const socket = await acceptSocket(request, reply)
        // What comes paused would never read the client's farewell.
        socket?.resume()
        socket?.close(1000)
        return reply
      },
    },
  ]
}
