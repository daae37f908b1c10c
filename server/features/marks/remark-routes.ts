import type { FastifyRequest } from 'fastify'
import { Comment, CommentList, CommentText, Note, NoteText } from '../../../shared/api/remarks.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Files } from '../../files/files.ts'
import type { CommentRecord } from '../../files/remark-records.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { callerOf, parameterOf, type Route, remark, target } from '../../routing/route.ts'
import { auditedPlace } from './audited-place.ts'

type FilesOf = (request: FastifyRequest) => Promise<Files>
/** Announces that something at a place of the served root has other remarks. */
type Changed = (place: FilePath) => void

const ID = 'The id of the comment.'

/** Notes about files and folders, and the comments on them (http-api 23.2). */
export function remarkRoutes(filesOf: FilesOf, cluster: Pick<Cluster, 'publish'>): Route[] {
  const changed: Changed = place => cluster.publish('remarks.changed', { place })
  return [...noteRoutes(filesOf, changed), ...commentsRoutes(filesOf, changed), ...oneCommentRoutes(filesOf, changed)]
}

function noteRoutes(filesOf: FilesOf, changed: Changed): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/notes/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Get the note of a file or folder',
        answers: { 200: { text: 'The note; its text is empty where there is none.', schema: Note } },
        refuses: [403, 404],
      },
      async handler(request): Promise<Note> {
        const note = await (await filesOf(request)).remarks.note(target(request).path)
        return note ? { text: note.text, username: note.username, time: rfc3339(note.at) } : { text: '' }
      },
    },
    {
      method: 'PUT',
      path: '/api/notes/*',
      access: 'user',
      token: 'write',
      records: 'note.set',
      schema: NoteText,
      describes: {
        summary: 'Set the note of a file or folder; it needs the modify permission',
        answers: { 204: { text: 'It is set, or removed where the text is empty.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const own = await filesOf(request)
        const { path } = target(request)
        await own.remarks.setNote(path, (request.body as NoteText).text)
        changed(auditedPlace(request, own, path))
        return reply.code(204).send()
      },
    },
  ]
}

function commentsRoutes(filesOf: FilesOf, changed: Changed): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/comments/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the comments on a file or folder',
        answers: { 200: { text: 'The comments, the oldest first.', schema: CommentList } },
        refuses: [403, 404],
      },
      async handler(request): Promise<CommentList> {
        const comments = await (await filesOf(request)).remarks.comments(target(request).path)
        return { items: comments.map(comment => presentComment(comment, callerOf(request).user.id)) }
      },
    },
    {
      method: 'POST',
      path: '/api/comments/*',
      access: 'user',
      token: 'write',
      records: 'comment.add',
      schema: CommentText,
      describes: {
        summary: 'Comment on a file or folder',
        answers: { 201: { text: 'The comment.', schema: Comment }, 409: { text: 'There are too many.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const { text } = request.body as CommentText
        const own = await filesOf(request)
        const { path } = target(request)
        const comment = await own.remarks.addComment(path, text)
        changed(auditedPlace(request, own, path))
        return reply.code(201).send(presentComment(comment, callerOf(request).user.id))
      },
    },
  ]
}

function oneCommentRoutes(filesOf: FilesOf, changed: Changed): Route[] {
  return [
    {
      method: 'PATCH',
      path: '/api/comment/:id',
      access: 'user',
      token: 'write',
      records: 'comment.change',
      schema: CommentText,
      describes: {
        summary: 'Change a comment of the caller',
        path: ID,
        answers: { 204: { text: 'It is changed.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const own = await filesOf(request)
        const { text } = request.body as CommentText
        changed(recordAt(request, own, await own.remarks.changeComment(parameterOf(request, 'id'), text)))
        return reply.code(204).send()
      },
    },
    {
      method: 'DELETE',
      path: '/api/comment/:id',
      access: 'user',
      token: 'write',
      records: 'comment.remove',
      describes: {
        summary: 'Delete a comment of the caller; administrators delete those of others, too',
        path: ID,
        answers: { 204: { text: 'It is deleted.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const own = await filesOf(request)
        changed(recordAt(request, own, await own.remarks.removeComment(parameterOf(request, 'id'))))
        return reply.code(204).send()
      },
    },
  ]
}

const presentComment = ({ id, userId, username, text, at, editedAt }: CommentRecord, caller: number): Comment => ({
  ...{ id, username, text, time: rfc3339(at), own: userId === caller },
  ...(editedAt !== null && { edited: rfc3339(editedAt) }),
})

/** The audit log has the item, and the user whose comment it was. @returns the place of the item */
function recordAt(
  request: FastifyRequest,
  own: Files,
  { path, username }: { path: FilePath; username: string },
): FilePath {
  const place = auditedPlace(request, own, path)
  remark(request, { path: place, target: username })
  return place
}
