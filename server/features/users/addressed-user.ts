import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { parameterOf } from '../../routing/route.ts'
import { findUser, type StoredUser } from './users.store.ts'

/** The number of a user in the path of a request. @throws AppError `not_found` when it is none */
export function userIdIn(request: FastifyRequest, name = 'id'): number {
  const text = parameterOf(request, name)
  if (!/^\d{1,15}$/.test(text)) throw new AppError('not_found')
  return Number(text)
}

/** The account whose number is in the path. @throws AppError `not_found` */
export async function demandUserIn(db: Db, request: FastifyRequest): Promise<StoredUser> {
  const user = await findUser(db, userIdIn(request))
  if (!user) throw new AppError('not_found')
  return user
}
