/** One call of the HTTP API, with every status that docs/http-api.md documents for it. */
export interface ContractRow {
  /** Section of docs/http-api.md; `own` where the call has no counterpart in File Browser. */
  section: string
  method: string
  /** `*` stands for any rest, `:name` for one segment. */
  route: string
  statuses: readonly number[]
}

const row = (section: string, call: string, ...statuses: number[]): ContractRow => {
  const [method = '', route = ''] = call.split(' ')
  return { section, method, route, statuses }
}

/** The first row that fits a call is the one it counts for. */
export const CONTRACT: readonly ContractRow[] = [
  row('2.1', 'POST /api/login', 200, 403),
  row('own', 'POST /api/login/handover', 400, 403),
  // What else these answer needs a provider: test/integration/oidc.test.ts.
  row('own', 'GET /api/oidc/:slug/start', 404),
  row('own', 'GET /api/oidc/:slug/callback', 404),
  row('own', 'POST /api/oidc/:slug/backchannel-logout', 404),
  row('2.2', 'POST /api/renew', 200, 401),
  row('2.3', 'POST /api/signup', 200, 400, 405, 409),
  row('own', 'POST /api/logout', 204),
  row('3.7', 'GET /api/resources/recursive/*', 200, 400, 401, 403, 404),
  row('3.1', 'GET /api/resources/*', 200, 304, 400, 401, 403, 404),
  row('3.2', 'POST /api/resources/*', 200, 400, 401, 403, 409),
  row('3.3', 'PUT /api/resources/*', 200, 401, 403, 404, 405, 412),
  row('3.4', 'DELETE /api/resources/*', 204, 401, 403, 404),
  row('3.5', 'PATCH /api/resources/*', 200, 400, 401, 403, 404, 409),
  row('4', 'POST /api/tus/*', 201, 400, 401, 403, 409),
  row('4', 'HEAD /api/tus/*', 200, 401, 403, 404),
  row('4', 'GET /api/tus/*', 200, 401, 403, 404),
  row('4', 'PATCH /api/tus/*', 204, 400, 401, 403, 404, 409, 413, 415),
  row('4', 'DELETE /api/tus/*', 204, 401, 403, 404),
  row('5', 'GET /api/raw/*', 200, 206, 304, 400, 401, 403, 404, 412, 416),
  row('6', 'GET /api/preview/*', 200, 206, 304, 400, 401, 403, 404, 413, 422, 501),
  row('7', 'GET /api/subtitle/*', 200, 400, 401, 403, 404),
  row('8', 'GET /api/usage/*', 200, 401, 403, 404),
  row('9', 'GET /api/search/*', 200, 400, 401, 403),
  row('10', 'GET /api/shares', 200, 401, 403),
  row('10', 'GET /api/share/*', 200, 401, 403),
  row('10', 'POST /api/share/*', 200, 400, 401, 403, 404),
  row('10', 'DELETE /api/share/*', 200, 401, 403, 404),
  row('10', 'GET /api/public/share/*', 200, 304, 401, 403, 404),
  row('10', 'GET /api/public/dl/*', 200, 206, 401, 403, 404),
  row('own', 'GET /api/tokens/self', 200, 401, 404),
  row('own', 'GET /api/tokens', 200, 401, 403),
  row('own', 'POST /api/tokens', 201, 400, 401, 403, 409),
  row('own', 'PATCH /api/tokens/:id', 200, 400, 401, 403, 404),
  row('own', 'DELETE /api/tokens/:id', 204, 401, 403, 404),
  row('own', 'DELETE /api/tokens', 204, 401, 403),
  row('own', 'GET /api/users/:id/tokens', 200, 401, 403, 404),
  row('own', 'DELETE /api/users/:id/tokens/:token', 204, 401, 403, 404),
  row('11', 'GET /api/users', 200, 401, 403),
  row('11', 'POST /api/users', 201, 400, 401, 403, 409),
  row('11', 'GET /api/users/:id', 200, 401, 403, 404),
  row('11', 'PUT /api/users/:id', 200, 400, 401, 403, 404),
  row('11', 'DELETE /api/users/:id', 200, 400, 401, 403, 404),
  row('12', 'GET /api/settings', 200, 401, 403),
  row('12', 'PUT /api/settings', 200, 400, 401, 403),
  row('13', 'GET /api/command/*', 101, 401, 403),
  row('own', 'GET /api/sessions', 200, 401),
  row('own', 'DELETE /api/sessions', 204, 401),
  row('own', 'DELETE /api/sessions/:id', 204, 401, 404),
  row('own', 'GET /api/jobs', 200, 401),
  row('own', 'POST /api/jobs', 200, 202, 400, 401),
  row('own', 'GET /api/jobs/:id', 200, 401, 404),
  row('own', 'POST /api/jobs/:id/cancel', 200, 401, 404),
  row('own', 'DELETE /api/jobs/:id', 204, 401, 404, 409),
  row('own', 'POST /api/conflicts', 200, 400, 401),
  row('own', 'POST /api/rename/facts', 200, 400, 401, 403),
  row('own', 'GET /api/public/preview/*', 200, 304, 401, 404, 501),
  row('own', 'GET /api/archives/list/*', 200, 400, 401, 403, 404, 422, 501),
  row('own', 'GET /api/archives/member/*', 200, 206, 304, 401, 403, 404, 409, 422),
  row('own', 'GET /api/public/archives/*', 200, 401, 404),
  row('own', 'GET /api/public/subtitle/*', 200, 400, 401, 404),
  row('own', 'GET /api/sizes/*', 200, 401),
  row('own', 'GET /api/events', 200, 401),
  row('own', 'GET /api/why', 200, 400, 401, 403, 404),
  row('own', 'GET /api/doctor/socket', 101, 400, 401, 403),
  row('own', 'GET /api/doctor/settings', 200, 401, 403),
  row('own', 'PUT /api/doctor/settings/:name', 200, 400, 401, 403, 404),
  row('own', 'DELETE /api/doctor/settings/:name', 200, 401, 403, 404),
  row('own', 'GET /api/doctor/files', 200, 401, 403),
  row('own', 'GET /api/doctor/wait', 200, 400, 401, 403, 429),
  row('own', 'GET /api/doctor', 200, 401, 403),
  row('own', 'GET /api/trash/items/*', 200, 401, 404),
  row('own', 'GET /api/trash/raw/*', 200, 401, 404),
  row('own', 'POST /api/trash/restore', 200, 400, 401),
  row('own', 'POST /api/trash/purge', 200, 400, 401),
  row('own', 'POST /api/trash/empty', 202, 204, 400, 401),
  row('own', 'GET /api/trash', 200, 400, 401),
  row('own', 'GET /api/versions/*', 200, 401, 404, 409),
  row('own', 'POST /api/versions/*', 200, 400, 401, 403, 404, 412),
  row('own', 'PATCH /api/kept/:id', 200, 400, 401, 403, 404),
  row('own', 'DELETE /api/kept/:id', 204, 401, 403, 404),
  row('own', 'GET /api/kept/raw/*', 200, 401, 404),
  row('own', 'GET /api/kept/preview/thumb/*', 200, 401, 404),
  row('own', 'GET /api/kept/preview/big/*', 200, 401, 404),
  row('own', 'GET /api/changes', 200, 400, 401),
  row('own', 'GET /api/changes/export', 200, 400, 401, 403),
  row('own', 'GET /api/activity/*', 200, 400, 401, 403, 404),
  row('own', 'GET /api/changes/:id', 200, 400, 401, 404),
  row('own', 'POST /api/changes/:id/undo', 200, 202, 400, 401, 404),
  row('own', 'GET /api/stars', 200, 401),
  row('own', 'PUT /api/stars/*', 204, 400, 401, 403, 404),
  row('own', 'DELETE /api/stars/*', 204, 401),
  row('own', 'POST /api/stars/order', 204, 400, 401),
  row('own', 'GET /api/picture-sizes/*', 200, 400, 401, 403),
  row('own', 'GET /api/public/picture-sizes/*', 200, 400, 401, 404),
  row('own', 'GET /api/marks/*', 200, 401, 403, 404, 409),
  row('own', 'GET /api/tags', 200, 401),
  row('own', 'POST /api/tags', 201, 400, 401, 403, 409),
  row('own', 'PATCH /api/links/:hash', 200, 400, 401, 403, 404),
  row('own', 'PATCH /api/tags/:id', 200, 400, 401, 403, 404, 409),
  row('own', 'DELETE /api/tags/:id', 204, 401, 403, 404),
  row('own', 'GET /api/tags/:id/items', 200, 401, 404),
  row('own', 'PUT /api/tagged', 200, 400, 401, 403, 404),
  row('own', 'GET /api/recent', 200, 401, 404),
  row('own', 'PUT /api/recent/*', 204, 401, 403, 404, 409),
  row('own', 'PATCH /api/recent', 204, 400, 401),
  row('own', 'DELETE /api/recent', 204, 401),
  row('own', 'GET /api/integrity', 200, 401, 403),
  row('own', 'GET /api/integrity/findings', 200, 400, 401, 403),
  row('own', 'PATCH /api/integrity/findings/:id', 200, 400, 401, 403, 404, 409),
  row('own', 'POST /api/changes/rewind', 200, 202, 400, 401, 403, 404, 409),
  row('own', 'GET /api/duplicates', 200, 401),
  row('own', 'GET /api/duplicates/:run', 200, 400, 401, 404),
  row('own', 'GET /api/audit/export', 200, 400, 401, 403),
  row('own', 'GET /api/audit', 200, 400, 401, 403),
  row('14', 'GET /health', 200),
  row('own', 'GET /health/ready', 200),
  row('14', 'GET /static/*', 200, 404),
  row('1.2', 'GET /api*', 404),
  row('14', 'GET /*', 200),
]

const PATTERNS = CONTRACT.map(({ route }) => {
  const source = route.replace(/\/\*$/, '(?:/.*)?').replace(/\*$/, '.*').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}$`, 's')
})

/** The row a call counts for; the path is without the base URL and the query. */
export function rowOf(method: string, path: string): ContractRow | undefined {
  return CONTRACT.find((row, index) => row.method === method && PATTERNS[index]?.test(path))
}
