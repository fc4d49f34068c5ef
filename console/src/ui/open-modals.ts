import { createStore } from '../lib/store.ts';

/** The modal dialogs that are open, the topmost last. What is outside of it can be neither pressed nor focused. */
export const openModals = createStore<readonly Element[]>([]);
