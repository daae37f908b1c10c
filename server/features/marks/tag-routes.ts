import type { FastifyRequest } from 'fastify'
import {
  NewTag,
  Tag,
  TagChange,
  TaggedItems,
  type TaggedResult,
  TaggedResults,
  Tagging,
  TagList,
} from '../../../shared/api/tags.ts'
import { parsePath } from '../../../shared/path.ts'
import type { Audit } from '../../audit/audit.ts'
import { asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { TagSetter } from '../../files/tags.ts'
import { callerOf, parameterOf, queryOf, type Route, remark } from '../../routing/route.ts'
import { auditedPlace } from './audited-place.ts'
import { presentStar } from './view.ts'

type FilesOf = (request: FastifyRequest) => Promise<Files>

const ID = 'The id of the tag.'

/** Tags, and the items that have them (http-api 23.1). */
export function tagRoutes(filesOf: FilesOf, audit: Pick<Audit, 'record'>): Route[] {
  return [listRoute(filesOf), addRoute(filesOf), ...oneTagRoutes(filesOf), taggedRoute(filesOf, audit)]
}

const listRoute = (filesOf: FilesOf): Route => ({
  method: 'GET',
  path: '/api/tags',
  access: 'user',
  token: 'read',
  describes: {
    summary: 'List the caller’s tags and the shared ones, by name',
    answers: { 200: { text: 'The tags.', schema: TagList } },
  },
  handler: async (request): Promise<TagList> => ({ items: await (await filesOf(request)).tags.list() }),
})

const addRoute = (filesOf: FilesOf): Route => ({
  method: 'POST',
  path: '/api/tags',
  access: 'user',
  token: 'none',
  records: 'tag.change',
  schema: NewTag,
  describes: {
    summary: 'Create a tag; a shared one needs an administrator, or the modify permission where the host allows it',
    answers: { 201: { text: 'The tag.', schema: Tag }, 409: { text: 'The name is taken, or there are too many.' } },
    refuses: [403],
  },
  async handler(request, reply) {
    const tag = await (await filesOf(request)).tags.add(request.body as NewTag)
    recordShared(request, tag)
    return reply.code(201).send(tag)
  },
})

function oneTagRoutes(filesOf: FilesOf): Route[] {
  return [
    {
      method: 'PATCH',
      path: '/api/tags/:id',
      access: 'user',
      token: 'none',
      records: 'tag.change',
      schema: TagChange,
      describes: {
        summary: 'Change the name or the colour of a tag',
        path: ID,
        answers: { 200: { text: 'The tag as it is now.', schema: Tag }, 409: { text: 'The name is taken.' } },
        refuses: [403, 404],
      },
      async handler(request): Promise<Tag> {
        const tag = await (await filesOf(request)).tags.change(parameterOf(request, 'id'), request.body as TagChange)
        recordShared(request, tag)
        return tag
      },
    },
    {
      method: 'DELETE',
      path: '/api/tags/:id',
      access: 'user',
      token: 'none',
      records: 'tag.change',
      describes: {
        summary: 'Delete a tag, also from all items',
        path: ID,
        answers: { 204: { text: 'It is deleted.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        recordShared(request, await (await filesOf(request)).tags.remove(parameterOf(request, 'id')))
        return reply.code(204).send()
      },
    },
    {
      method: 'GET',
      path: '/api/tags/:id/items',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the items that have a tag',
        path: ID,
        query: { before: '`next` of the page before.' },
        answers: { 200: { text: 'Those that are still there, or in the trash.', schema: TaggedItems } },
        refuses: [404],
      },
      async handler(request): Promise<TaggedItems> {
        const { items, next } = await (await filesOf(request)).tags.itemsWith(
          parameterOf(request, 'id'),
          queryOf(request, 'before'),
        )
        return { items: items.map(presentStar), ...(next !== undefined && { next }) }
      },
    },
  ]
}

const taggedRoute = (filesOf: FilesOf, audit: Pick<Audit, 'record'>): Route => ({
  method: 'PUT',
  path: '/api/tagged',
  access: 'user',
  token: 'none',
  records: 'tag.set',
  schema: Tagging,
  describes: {
    summary: 'Add tags to items, and remove tags; shared ones need the modify permission',
    answers: { 200: { text: 'A result for each path.', schema: TaggedResults } },
    refuses: [403, 404],
  },
  async handler(request): Promise<TaggedResults> {
    const { paths, add, remove } = request.body as Tagging
    const own = await filesOf(request)
    const { tags } = own
    const setter = await tags.setter({ add, remove })
    const { shared } = setter
    remark(request, { action: 'nothing' })
    const target = shared.map(({ id, name }) => `${add.includes(id) ? '+' : '−'}${name}`).join(' ')
    const results: TaggedResult[] = []
    for (const path of new Set(paths)) {
      const result = await setOne(setter, path)
      if (shared.length > 0) await record(audit, own, request, result, target)
      results.push(result)
    }
    return { results }
  },
})

async function setOne({ set }: TagSetter, path: string): Promise<TaggedResult> {
  try {
    return { path, tags: await set(parsePath(path)) }
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'internal' || code === 'unauthorized') throw thrown
    return { path, code }
  }
}

/** One row of the audit log for each item whose shared tags were set, and for each refusal. */
async function record(
  audit: Pick<Audit, 'record'>,
  own: Files,
  request: FastifyRequest,
  { path, code }: TaggedResult,
  target: string,
): Promise<void> {
  if (code !== undefined && code !== 'forbidden') return
  const { user, way } = callerOf(request)
  await audit.record({
    action: 'tag.set',
    outcome: code ?? 'done',
    way,
    address: request.ip,
    who: user,
    path: auditedPlace(request, own, parsePath(path)),
    target,
  })
}

/** The audit log has the changes of shared tags only. */
const recordShared = (request: FastifyRequest, { id, name, shared }: Tag): void =>
  remark(request, shared ? { target: `tag:${id} ${name}` } : { action: 'nothing' })
