/** What is loaded when a condition is shown: larger than all other code of the screen. */
export { CelEditor } from './CelEditor.tsx';
export { RuleDetails } from './RuleDetails.tsx';
