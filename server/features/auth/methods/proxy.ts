import { AppError } from '../../../errors.ts'
import { membership } from '../../../lib/networks.ts'
import type { AccountDeps } from '../../users/accounts.ts'
import { unknownPassword } from '../../users/password.ts'
import { findUserByName } from '../../users/users.store.ts'
import { autoProvision } from '../auto-provision.ts'
import type { AuthMethod, LoginAttempt } from '../method.ts'

export interface ProxyDeps extends AccountDeps {
  config: {
    /** Networks whose headers are trusted; none by default. */
    trustedProxies: readonly string[]
  }
}

/** A reverse proxy authenticates the user and sends the name in a header (http-api 18); the body is ignored. */
export function proxyMethod(deps: ProxyDeps): AuthMethod {
  const isTrusted = membership(deps.config.trustedProxies)
  return {
    loginPage: false,
    async authenticate(attempt, { header, createUsers }) {
      const username = isTrusted(attempt.peer) ? nameInHeader(attempt, header) : undefined
      if (username === undefined) throw new AppError('wrong_credentials')
      const user = await findUserByName(deps.db, username)
      if (user) return user
      if (!createUsers) throw new AppError('wrong_credentials')
      return autoProvision(deps, 'proxy', { username, passwordHash: unknownPassword() })
    },
  }
}

/** The name, if the header occurs once with a single name: of two, one could come from the client. */
function nameInHeader({ rawHeaders }: LoginAttempt, header: string): string | undefined {
  const wanted = header.trim().toLowerCase()
  if (wanted === '') return undefined
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted)
  const [value = ''] = values
  if (values.length !== 1 || value.trim() === '' || value.includes(',')) return undefined
  return decoded(value.trim())
}

/** Node decodes header bytes as Latin-1; a name in them is UTF-8. */
function decoded(value: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return undefined
  }
}
