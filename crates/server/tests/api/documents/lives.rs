//! Random lives of documents.
