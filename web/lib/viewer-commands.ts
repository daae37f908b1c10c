import { useLayoutEffect } from 'react'
import { type Action, keysOfAction, publishViewer, runAction, type ViewerPart } from './actions.ts'
import { type Binding, useShortcuts } from './keyboard.ts'

/** An action that runs the open viewer's command of this name; available while the viewer has it. */
export function viewerAction(
  name: string,
  scope: 'preview' | 'editor',
  look: Pick<Action, 'labelKey' | 'icon' | 'shortcut' | 'alternative'>,
): Action {
  return {
    id: `${scope}.${name}`,
    scope,
    ...look,
    visible: ({ viewer }) => viewer?.[name] !== undefined,
    run: ({ viewer }) => viewer?.[name]?.(),
  }
}

/** Offers a viewer's commands while the component is mounted. @param item the file, if there are actions on it */
export function useViewerCommands(commands: ViewerPart['commands'], item?: ViewerPart['item']): void {
  // Before the first paint: a key must reach a viewer from the moment it is visible.
  useLayoutEffect(() => publishViewer({ commands, item }))
}

/** The key bindings of a viewer's actions. @param may whether a key press may run this action */
export function useViewerKeys(
  actions: readonly Action[],
  more: Pick<Binding, 'inText'>,
  may: (action: Action, event: KeyboardEvent) => boolean = () => true,
): void {
  useShortcuts(
    'listing',
    actions.flatMap(action => {
      // Consumed even when the action is disabled: the browser's default would be something else.
      const run = (event: KeyboardEvent) => may(action, event) && void runAction(action)
      return keysOfAction(action).map(keys => ({ keys, run, ...more }))
    }),
  )
}
