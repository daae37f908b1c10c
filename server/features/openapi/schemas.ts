import * as z from 'zod/mini'
import { Job, JobItem } from '../../../shared/api/jobs.ts'
import {
  FileResource,
  FolderResource,
  RecursiveItem,
  Resource,
  ResourceItem,
  UsageAnswer,
} from '../../../shared/api/resources.ts'
import { SearchHit } from '../../../shared/api/search.ts'
import { SettingsAnswer } from '../../../shared/api/settings.ts'
import { ShareLink } from '../../../shared/api/shares.ts'
import { Time, TimeInput } from '../../../shared/api/time.ts'
import { PermissionsAnswer, Rule, User, UserInput } from '../../../shared/api/users.ts'
import { ERROR_CODES } from '../../errors.ts'

const ErrorCode = z.enum(ERROR_CODES)

/** An error for clients that accept `application/problem+json` (http-api 1.3). */
const Problem = z.object({
  type: z.literal('about:blank'),
  /** The reason phrase of the status. */
  title: z.string(),
  status: z.int(),
  /** The cause, where it is disclosed. */
  detail: z.exactOptional(z.string()),
  code: ErrorCode,
  /** Mount points that are in the way, and bytes that would have to be copied. */
  mounts: z.exactOptional(z.array(z.string())),
  bytes: z.exactOptional(z.number()),
})

/** Schemas of every document, whatever its routes. */
export const ALWAYS_NAMED = { ErrorCode, Problem }

/** Schemas that the document names once and references. */
const NAMED = {
  ...ALWAYS_NAMED,
  FileResource,
  FolderResource,
  Job,
  JobItem,
  RecursiveItem,
  Resource,
  ResourceItem,
  UsageAnswer,
  SearchHit,
  SettingsAnswer,
  ShareLink,
  Permissions: PermissionsAnswer,
  Rule,
  User,
  UserInput,
}

const names = z.registry<{ id?: string; format?: string }>()
for (const [id, schema] of Object.entries(NAMED)) names.add(schema, { id })
for (const schema of [Time, TimeInput]) names.add(schema, { format: 'date-time' })

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses them. */
export type JsonSchema = { readonly [key: string]: unknown }

export interface Schemas {
  /** By the key of each input. */
  byKey: Readonly<Record<string, JsonSchema>>
  /** The named schemas that those reference. */
  components: Readonly<Record<string, JsonSchema>>
}

/**
 * Schemas as JSON Schema, with references to the named ones.
 * @param io `input` for bodies, where unknown fields are ignored; `output` for responses
 */
export function translate(schemas: Readonly<Record<string, z.ZodMiniType>>, io: 'input' | 'output'): Schemas {
  const whole = z.toJSONSchema(z.object(schemas), { io, metadata: names, target: 'draft-2020-12' })
  const { properties = {}, $defs = {} } = referring(whole) as { properties?: Table; $defs?: Table }
  return { byKey: properties, components: mapValues($defs, ({ id: _id, ...schema }) => schema) }
}

type Table = Record<string, JsonSchema>

function mapValues(table: Table, change: (schema: JsonSchema) => JsonSchema): Table {
  return Object.fromEntries(Object.entries(table).map(([key, schema]) => [key, change(schema)]))
}

/** The same with references into the document's components, and tables of known names as objects. */
function referring(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text, (_key, part) =>
    isNamedTable(part) ? withProperties(part) : isTuple(part) ? withItems(part) : part,
  )
}

/** Tools for OpenAPI expect a schema as `items` in every array. */
const isTuple = (part: unknown): part is JsonSchema & { prefixItems: unknown[] } =>
  Array.isArray(Object(part).prefixItems) && !Object(part).items

const withItems = (schema: JsonSchema & { prefixItems: unknown[] }): JsonSchema => {
  const { length } = schema.prefixItems
  return { ...schema, items: {}, minItems: length, maxItems: length }
}

interface NamedTable {
  propertyNames: { enum: string[] }
  additionalProperties: JsonSchema
}

const isNamedTable = (part: unknown): part is NamedTable =>
  Array.isArray(Object(Object(part).propertyNames).enum) && typeof Object(part).additionalProperties === 'object'

function withProperties({ propertyNames, additionalProperties, ...schema }: NamedTable): JsonSchema {
  return { ...schema, properties: Object.fromEntries(propertyNames.enum.map(name => [name, additionalProperties])) }
}
