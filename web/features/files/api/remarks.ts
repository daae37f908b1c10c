import type { Comment, CommentList, CommentText, Note, NoteText } from '../../../../shared/api/remarks.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { reloadMarks } from './marks.ts'

const NOTE_KEY = 'note'
const COMMENTS_KEY = 'comments'

/** `GET /api/notes/{path}` (http-api 23.2), as a query. Fails with `ApiError`. */
export function noteQuery(path: string) {
  return queryOptions({
    queryKey: [NOTE_KEY, path],
    queryFn: ({ signal }) => apiJson<Note>(`/api/notes${encodePath(path)}`, { signal }),
    staleTime: 0,
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** `GET /api/comments/{path}` (http-api 23.2), as a query. Fails with `ApiError`. */
export function commentsQuery(path: string) {
  return queryOptions({
    queryKey: [COMMENTS_KEY, path],
    queryFn: ({ signal }) => apiJson<CommentList>(`/api/comments${encodePath(path)}`, { signal }),
    staleTime: 0,
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** Sets the note of an item; an empty text removes it. @throws ApiError */
export async function setNote(path: string, text: string): Promise<void> {
  await api(`/api/notes${encodePath(path)}`, { method: 'PUT', body: JSON.stringify({ text } satisfies NoteText) })
  await Promise.all([queryClient.invalidateQueries({ queryKey: [NOTE_KEY] }), reloadMarks()])
}

/** @throws ApiError */
export async function addComment(path: string, text: string): Promise<void> {
  const body = JSON.stringify({ text } satisfies CommentText)
  await apiJson<Comment>(`/api/comments${encodePath(path)}`, { method: 'POST', body })
  await reloadComments()
}

/** @throws ApiError */
export async function changeComment(id: string, text: string): Promise<void> {
  await api(`/api/comment/${id}`, { method: 'PATCH', body: JSON.stringify({ text } satisfies CommentText) })
  await reloadComments()
}

/** @throws ApiError */
export async function removeComment(id: string): Promise<void> {
  await api(`/api/comment/${id}`, { method: 'DELETE' })
  await reloadComments()
}

/** Loads the note and the comments that are shown again, and the marks in rows: another user may have changed them. */
export const reloadRemarks = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: [NOTE_KEY] }), reloadComments()])

const reloadComments = () => Promise.all([queryClient.invalidateQueries({ queryKey: [COMMENTS_KEY] }), reloadMarks()])
