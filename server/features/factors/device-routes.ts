import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import { deleteDevices } from './devices.store.ts'

/** Users forget browsers that need no second factor (http-api 34). */
export function deviceRoutes({ db }: { db: Db }): Route[] {
  return [
    {
      method: 'DELETE',
      path: '/api/account/devices/:id',
      access: 'user',
      token: 'none',
      records: 'factor.change',
      describes: {
        summary: 'Forget a browser of the caller',
        path: 'The id of the browser.',
        answers: { 204: { text: 'The next sign-in there asks for the second factor.' } },
        refuses: [404],
      },
      async handler(request: FastifyRequest, reply) {
        remark(request, { target: 'remembered browser' })
        if (!(await deleteDevices(db, callerOf(request).user.id, parameterOf(request, 'id'))))
          throw new AppError('not_found')
        return reply.code(204).send()
      },
    },
  ]
}
