export function buildConsole(say?: (line: string) => void): Promise<boolean>;
export function precompress(folder: string): Promise<void>;
