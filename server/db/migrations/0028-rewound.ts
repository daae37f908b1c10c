import type { Kysely } from 'kysely'

/** Which steps the rewinding of a folder undid: one of its own steps may undo several. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('change_steps').addColumn('rewound_by', 'text').execute()
  await db.schema.alterTable('change_steps').addColumn('rewound_at', 'integer').execute()
  await db.schema.createIndex('change_steps_rewound').on('change_steps').columns(['rewound_by', 'rewound_at']).execute()
}
