import { expect, test } from 'vitest'
import { call } from './client.ts'
import { CONTRACT } from './contract.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
/** Share links respond 401 to a wrong password, not to a missing session; commands exist only if the host allows them. */
const isOther = (route: string) => route.startsWith('/api/public/') || route === '/api/command/*'
const guarded = CONTRACT.filter(({ statuses, route }) => statuses.includes(401) && !isOther(route))

test.each(guarded.map(({ method, route }) => [method, route]))(
  'without a session %s %s is answered with 401 and nothing else',
  async (method = '', route = '') => {
    const path = route.replace('preview/*', 'preview/thumb/*').replace(/\*$/, 'some/file.txt').replace(':id', '1')
    const answer = await call(wire, path, { method })
    expect(answer.status).toBe(401)
    expect(answer.text).toBe(method === 'HEAD' ? '' : '401 Unauthorized\n')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('set-cookie')).toBeNull()
  },
)
