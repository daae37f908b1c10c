import type { FastifyReply, FastifyRequest } from 'fastify'
import { SignupRequest } from '../../../shared/api/auth.ts'
import { AppError } from '../../errors.ts'
import { type Route, remark, sendStatus } from '../../routing/route.ts'
import { readSettings } from '../settings/settings.store.ts'
import { type AccountDeps, provisionUser, safeDefaults } from '../users/accounts.ts'
import { checkUsername } from '../users/names.ts'
import { hashPassword } from '../users/password.ts'
import { checkPassword } from '../users/password-policy.ts'
import type { StoredUser } from '../users/users.store.ts'
import { type AuthMethods, currentMethod } from './method.ts'

export interface SignupDeps extends AccountDeps {
  authMethods: AuthMethods
}

/** Sign-up (http-api 2.3). It returns no token: the client signs in afterwards. */
export function signupRoute(deps: SignupDeps): Route {
  return {
    method: 'POST',
    path: '/api/signup',
    access: 'public',
    records: 'signup',
    schema: SignupRequest,
    describes: {
      summary: 'Create an account for oneself',
      answers: {
        200: { text: 'The account was created; sign in next.' },
        405: { text: 'This server offers no sign-up.' },
      },
      refuses: [409],
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      if (!(await isOffered(deps))) {
        reply.header('Allow', '')
        throw new AppError('method_not_allowed')
      }
      remark(request, { who: await signUp(deps, request.body as SignupRequest | undefined) })
      return sendStatus(reply, 200)
    },
  }
}

/** Only where users sign in on the built-in page, with passwords: elsewhere another system manages accounts. */
async function isOffered({ db, authMethods }: SignupDeps): Promise<boolean> {
  const [{ signup }, { method, settings }] = await Promise.all([readSettings(db), currentMethod(db, authMethods)])
  return signup && method.loginPage && method.isOpenToAll?.(settings) !== false
}

async function signUp(deps: SignupDeps, body: SignupRequest | undefined): Promise<StoredUser> {
  const [username, password] = [body?.username ?? '', body?.password ?? '']
  checkUsername(username)
  if (password === '') throw new AppError('bad_request', 'password is empty')
  const settings = await readSettings(deps.db)
  checkPassword(password, settings.minimumPasswordLength)
  const passwordHash = await hashPassword(password)
  return provisionUser(deps, { ...safeDefaults(settings), username, passwordHash }, 'signup')
}
