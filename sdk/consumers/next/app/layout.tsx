import type { ReactNode } from 'react';
import { Exercise } from './exercise/in-browser';
import { Providers } from './providers';

export const metadata = { title: 'Findings' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
        <Exercise />
      </body>
    </html>
  );
}
