import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import type { Document } from '../../server/features/openapi/document.ts'
import { call, json } from './client.ts'
import type { Instance } from './harness.ts'

/** A call in the description. */
export interface DescribedCall {
  method: string
  /** As in the description: `/api/raw/{path}`. */
  path: string
  operation: Document['paths'][string][string]
}

/** The API description that a server serves. */
export async function readDescription(instance: Pick<Instance, 'url'>): Promise<Document> {
  return json(await call(instance, '/api/openapi.json'))
}

/** Every call of a description. */
export function callsIn(document: Document): DescribedCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Violations, in JSON with that status, of the description's schema; `[]` when it is valid. */
export function judgeOf(document: Document): (name: string, status: number, body: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': RFC_3339, uri: true } })
  ajv.addSchema(document as unknown as AnySchema, 'api')
  return (name, status, body) => {
    const [method = '', path = ''] = name.split(' ')
    const parts = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', 'application/json']
    const place = parts.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const validate = ajv.getSchema(`api#/${place}/schema`)
    if (!validate) return [`${name} describes no JSON for ${status}`]
    return validate(body) === true ? [] : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)
  }
}
