import type { Kysely } from 'kysely'

/** The names that visitors of links to edit give. Links of before do not ask for one. */
export async function up(db: Kysely<{ shares: { purpose: string; sender: string } }>): Promise<void> {
  await db.schema.alterTable('changes').addColumn('visitor', 'text').execute()
  await db.updateTable('shares').set({ sender: 'no' }).where('purpose', '=', 'edit').execute()
}
