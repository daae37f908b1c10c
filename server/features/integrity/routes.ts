import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import {
  FINDING_STATES,
  FINDINGS_PAGE,
  FindingChange,
  IntegrityFinding,
  IntegrityFindings,
  IntegrityReport,
} from '../../../shared/api/integrity.ts'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Integrity } from '../../integrity/integrity.ts'
import { abortable } from '../../lib/abortable.ts'
import { callerOf, clientGone, parameterOf, queryOf, type Route, remark } from '../../routing/route.ts'
import { presentFinding, presentReport, type ScrubConfig, type SeenFinding } from './view.ts'

export interface IntegrityRoutesDeps {
  files: FilesService
  integrity: Integrity
  config: ScrubConfig
}

/** Whether files are what they were (http-api 26), for administrators. */
export function integrityRoutes({ files, integrity, config }: IntegrityRoutesDeps): Route[] {
  const see = async (own: Files, finding: SeenFinding['finding']): Promise<IntegrityFinding> =>
    presentFinding(own, { finding, copies: await integrity.copiesFor(finding) })
  return [
    {
      method: 'GET',
      path: '/api/integrity',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Report which files have known checksums, and when they were checked',
        answers: { 200: { text: 'The report.', schema: IntegrityReport } },
      },
      handler: async (): Promise<IntegrityReport> => presentReport(await integrity.report(), config),
    },
    {
      method: 'GET',
      path: '/api/integrity/findings',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'List the files that are not what they were, the newest finding first',
        query: {
          state: { text: 'Only those in a state.', of: FINDING_STATES },
          before: 'The id of the last finding of the page before.',
        },
        answers: { 200: { text: `Up to ${FINDINGS_PAGE} findings.`, schema: IntegrityFindings } },
        refuses: [400],
      },
      async handler(request): Promise<IntegrityFindings> {
        const own = await files.for(callerOf(request).user)
        const filter = { state: stateIn(request), before: queryOf(request, 'before') }
        const rows = await integrity.findings(filter, FINDINGS_PAGE + 1)
        const items = await Promise.all(rows.slice(0, FINDINGS_PAGE).map(row => see(own, row)))
        return { items, more: rows.length > FINDINGS_PAGE }
      },
    },
    {
      method: 'PATCH',
      path: '/api/integrity/findings/:id',
      access: 'admin',
      token: 'none',
      records: 'integrity.finding',
      schema: FindingChange,
      describes: {
        summary: 'Settle a finding: the content is right as it is, or it is again what it was',
        path: 'The id of a finding.',
        answers: {
          200: { text: 'The finding.', schema: IntegrityFinding },
          409: { text: 'It is settled already, or the content is not what it was.' },
        },
        refuses: [403, 404],
      },
      async handler(request, reply): Promise<IntegrityFinding> {
        const { user } = callerOf(request)
        const own = await files.for(user)
        const finding = await integrity.finding(parameterOf(request, 'id'))
        const { state, from } = request.body as FindingChange
        remark(request, { path: finding.place, target: state })
        if (finding.state !== 'open') throw new AppError('exists')
        if (state === 'restored') await restore(own, finding, from, clientGone(request, reply))
        return see(own, await integrity.settle(finding, state, user.username))
      },
    },
  ]
}

/**
 * Copies the right content over a file if there is one to copy, then reads the file and demands the known checksum.
 * @throws not_found for a file that the caller does not see, changed_since for another content
 */
async function restore(
  own: Files,
  { place, expected }: SeenFinding['finding'],
  from: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const path = own.history.pathOf(place)
  if (path === undefined) throw new AppError('not_found')
  if (from !== undefined) await copyOver(own, parsePath(from), path, expected, signal)
  const sha256 = await own.checksums.of(path, signal, { fresh: true })
  if (expected !== null && sha256 !== expected) throw new AppError('changed_since')
}

/** The content becomes the file's, with the file's time; what the file had is a version. */
async function copyOver(own: Files, from: FilePath, to: FilePath, expected: string | null, signal: AbortSignal) {
  if (expected !== null && (await own.checksums.of(from, signal, { fresh: true })) !== expected)
    throw new AppError('changed_since')
  const { modified } = await own.info(to)
  const source = await own.open(from)
  try {
    const { size } = source.entry
    const body = size === 0 ? Readable.from([]) : abortable(signal, source.stream())
    await own.save(to, body, { length: size, modified, signal, reason: 'restore' })
  } finally {
    await source.close()
  }
}

/** @throws AppError `bad_request` */
function stateIn(request: FastifyRequest): SeenFinding['finding']['state'] | undefined {
  const asked = queryOf(request, 'state')
  if (asked === undefined || asked === '') return undefined
  const state = FINDING_STATES.find(known => known === asked)
  if (!state) throw new AppError('bad_request', 'state: is not known')
  return state
}
