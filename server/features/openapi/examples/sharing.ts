import { type Examples, json } from './example.ts'

/** Share links, and what their visitors do. */
export const SHARING_EXAMPLES: Examples = {
  'POST /api/share/{path}': {
    at: '/api/share/docs/',
    with: json({ expires: '7', unit: 'days', label: 'for the client' }),
  },
  'GET /api/shares': {},
  'GET /api/share/{path}': { at: '/api/share/docs/' },
  'PATCH /api/links/{hash}': { at: '/api/links/LINK_ID', with: json({ expire: 0 }) },
  'GET /api/public/share/{path}': { at: '/api/public/share/LINK_ID/' },
  'GET /api/public/dl/{path}': { at: '/api/public/dl/LINK_ID/report.txt', with: '-o report.txt' },
  'GET /api/public/archives/list/{path}': { at: '/api/public/archives/list/LINK_ID/papers.zip' },
  'GET /api/public/archives/member/{path}': {
    at: '/api/public/archives/member/LINK_ID/papers.zip?member=long.txt',
    with: '-o long.txt',
  },
  'GET /api/public/preview/thumb/{path}': { at: '/api/public/preview/thumb/LINK_ID/photo.jpg', with: '-o thumb' },
  'GET /api/public/preview/512/{path}': { at: '/api/public/preview/512/LINK_ID/photo.jpg', with: '-o preview' },
  'GET /api/public/preview/1024/{path}': { at: '/api/public/preview/1024/LINK_ID/photo.jpg', with: '-o preview' },
  'GET /api/public/preview/big/{path}': { at: '/api/public/preview/big/LINK_ID/photo.jpg', with: '-o preview' },
  'GET /api/public/picture-sizes/{path}': { at: '/api/public/picture-sizes/LINK_ID/?files=photo.jpg' },
  'POST /api/office/open': { with: json({ path: '/docs/letter.odt' }), refused: 501 },
  'POST /api/office/test': { refused: 501 },
  'GET /api/paper/{path}': { at: '/api/paper/docs/letter.odt', with: '-o letter.pdf' },
  'GET /api/public/paper/{path}': { at: '/api/public/paper/LINK_ID/letter.odt', with: '-o letter.pdf' },
  'GET /api/public/subtitle/{path}': { at: '/api/public/subtitle/LINK_ID/film.srt' },
  'POST /api/public/tus/{path}': { at: '/api/public/tus/REQUEST_ID/letter.txt', with: `-i -H 'Upload-Length: 6'` },
  'GET /api/public/tus/{path}': { at: '/api/public/tus/REQUEST_ID/-/UPLOAD_ID', with: '-I -X GET' },
  'PATCH /api/public/tus/{path}': {
    at: '/api/public/tus/REQUEST_ID/-/UPLOAD_ID',
    with: `-H 'Upload-Offset: 0' -H 'Content-Type: application/offset+octet-stream' --data-binary abc`,
  },
  'DELETE /api/public/tus/{path}': { at: '/api/public/tus/REQUEST_ID/-/UPLOAD_ID' },
  'POST /api/public/resources/{path}': {
    at: '/api/public/resources/EDIT_ID/note.txt',
    with: '--data-binary Hello',
  },
  'PUT /api/public/resources/{path}': {
    at: '/api/public/resources/EDIT_ID/note.txt',
    with: '--data-binary Goodbye',
  },
  'PATCH /api/public/resources/{path}': {
    at: '/api/public/resources/EDIT_ID/note.txt?action=rename&destination=/letter.txt',
  },
  'DELETE /api/public/resources/{path}': { at: '/api/public/resources/EDIT_ID/letter.txt' },
  'GET /api/links/{hash}/deliveries': { at: '/api/links/REQUEST_ID/deliveries' },
  'GET /api/links/{hash}/visits': { at: '/api/links/REQUEST_ID/visits' },
  'POST /api/links/{hash}/invitations': {
    at: '/api/links/REQUEST_ID/invitations',
    with: json({ addresses: ['ann@example.org'], text: 'The pictures of the summer' }),
  },
  'GET /api/grants/people': { at: '/api/grants/people?q=admin' },
  'POST /api/grants': {
    with: json({ path: '/docs/', to: { kind: 'user', id: 'PERSON_ID' }, rights: ['download', 'create'] }),
  },
  'GET /api/grants': { at: '/api/grants?path=/docs' },
  'GET /api/grants/all': {},
  'PATCH /api/grants/{id}': { at: '/api/grants/GRANT_ID', with: json({ rights: ['download'], note: 'to read' }) },
  'GET /api/grants/received': {},
  'DELETE /api/grants/received/{id}': { at: '/api/grants/received/RECEIVED_ID' },
  'DELETE /api/grants/{id}': { at: '/api/grants/GRANT_ID' },
  'DELETE /api/share/{path}': { at: '/api/share/LINK_ID' },
}
