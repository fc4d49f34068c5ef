/**
 * Loads what writes PDF. That takes about 100 ms without a pause, so a server loads it before it listens: the first report
 * in PDF then holds up no other request.
 */
export async function loadPdfLibrary() {
  const { default: PDFDocument } = await import('pdfkit');
  return PDFDocument;
}
